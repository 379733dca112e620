// Words that a line of SQL can go on with: keywords, tables, views, columns, schemas, lakes,
// functions; or dot commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/session.h"

namespace tarn::shell {

/// Asks the session's catalogs once, and anew after Forget().
class Completion {
 public:
  explicit Completion(engine::Session& session) : session_(session) {}

  /// Candidates for `word`, sorted; keywords in the case that was typed. After `name.` only what
  /// belongs to that name.
  std::vector<std::string> Find(std::string_view before_cursor, std::string_view word);
  /// A statement ran: names may have come and gone.
  void Forget() { is_loaded_ = false; }

 private:
  struct Name {
    std::string text;
    std::string owner;  ///< the table of a column, the schema of a table, the database of a schema
  };
  void Load();

  engine::Session& session_;
  bool is_loaded_ = false;
  std::vector<std::string> keywords_;
  std::vector<Name> names_;
};

}  // namespace tarn::shell
