// A database that Tarn attaches to the host's instance for itself, beside a lake: the lake's
// catalog file, or a view of its tables.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "duckdb.hpp"
#include "duckdb/main/attached_database.hpp"

namespace tarn::engine {

struct AttachRequest {
  std::string name;
  std::string path;
  duckdb::unordered_map<duckdb::string, duckdb::Value>
      options;  ///< as ATTACH has them, "type" among them
  bool read_only = false;
  bool hidden = true;
  bool replace = false;  ///< ATTACH OR REPLACE: takes the name over from the lake that had it
  std::function<void()> prepare;  ///< called before each attempt to attach; may be empty
};

/// Attached as long as the object lives. Attaching and detaching run on a connection of their own
/// and are committed at once, whatever becomes of the user's transaction around them: if that rolls
/// back, DuckDB drops the lake, and the lake this object.
///
/// Holds no strong reference to the instance, and neither may anyone who waits inside a lake: the
/// instance owns the lake, so it would never be closed. Thread safe.
class OwnedAttachment {
 public:
  /// Throws tarn::Error: kInvalid for what is asked wrongly (the name or the file is in use,
  /// unknown options), kUnavailable for what did not work.
  static std::shared_ptr<OwnedAttachment> Make(duckdb::DatabaseInstance& instance,
                                               AttachRequest request);
  ~OwnedAttachment();
  OwnedAttachment(const OwnedAttachment&) = delete;
  OwnedAttachment& operator=(const OwnedAttachment&) = delete;

  const std::string& name() const { return request_.name; }
  /// The instance; throws kUnavailable when it is gone.
  duckdb::shared_ptr<duckdb::DatabaseInstance> Instance() const;
  /// The database; throws kUnavailable when it is ours no longer (detached by hand, or replaced).
  duckdb::shared_ptr<duckdb::AttachedDatabase> Database() const;
  /// The same without an exception.
  bool IsAttached() const;
  /// Detaches now.
  void Detach();
  /// The lake is open: what it replaced need not come back. Without this, the destructor gives the
  /// name back to it.
  void Confirm() { former_.reset(); }

 private:
  OwnedAttachment(duckdb::DatabaseInstance& instance, AttachRequest request);
  void Attach();

  AttachRequest request_;
  const duckdb::weak_ptr<duckdb::DatabaseInstance> instance_;
  duckdb::weak_ptr<duckdb::AttachedDatabase> database_;
  std::shared_ptr<OwnedAttachment> former_;
};

}  // namespace tarn::engine
