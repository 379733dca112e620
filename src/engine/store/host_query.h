// Running one statement on a connection of the host's instance, and what comes back.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "duckdb.hpp"
#include "duckdb/main/connection.hpp"
#include "engine/store/host_duckdb_store.h"
#include "tarn/catalog_store.h"

namespace tarn::engine {

duckdb::Value ToDuckDbValue(const Value& value);

/// How a query asks for its end, and whom it tells of a failure before it throws.
struct QueryHooks {
  std::function<bool()> interrupted;
  std::function<void()> on_error;
  std::string where;  ///< for messages
};

/// Starts a statement; the reader keeps the connection. `streaming`: memory stays constant, but
/// nothing else may run on the connection meanwhile.
std::unique_ptr<ChunkReader> StartQuery(std::shared_ptr<duckdb::Connection> connection,
                                        const Statement& statement, QueryHooks hooks,
                                        bool streaming);

/// A cursor over the chunks.
std::unique_ptr<Rows> MakeRows(std::unique_ptr<ChunkReader> reader, std::string where);

}  // namespace tarn::engine
