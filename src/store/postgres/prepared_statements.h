// Statements that a session's server keeps parsed and planned: that is most of the work for the
// small ones that a commit consists of.
#pragma once

#include <libpq-fe.h>

#include <cstdint>
#include <list>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tarn::postgres {

/// Remembers what was prepared on one session; sends nothing itself. A text is prepared when it
/// comes the second time: most texts come once.
class PreparedStatements {
 public:
  struct Use {
    std::string name;                  ///< empty: send it as it is
    bool is_new = false;               ///< prepare it under this name first
    std::vector<std::string> dropped;  ///< the server may forget these before
  };
  /// How to send a statement whose parameters have these types.
  Use For(const std::string& sql, std::span<const Oid> types);
  /// The server refused to prepare it, or was not asked after all.
  void Forget(const std::string& name);
  /// The server has none of them any more.
  void Clear();

 private:
  struct Prepared {
    std::string name;
    int uses = 0;
    std::list<std::string>::iterator age;
  };
  using Entries = std::unordered_map<std::string, Prepared>;
  std::string Drop(Entries::iterator entry);

  Entries entries_;
  std::list<std::string> ages_;  ///< keys, least recently used first
  std::unordered_set<size_t> seen_;
  /// No name is given twice on a session; and, the text's hash being a part of it, none means
  /// another statement on another session, should a pooler mix them up.
  int64_t last_number_ = 0;
};

}  // namespace tarn::postgres
