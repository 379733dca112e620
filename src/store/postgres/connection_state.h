// The SQLSTATE of a connection that could not be made: libpq keeps it and has no function for it.
#pragma once

#include <string>

struct pg_conn;

namespace tarn::postgres {

/// Empty when no server has spoken,
std::string ConnectSqlState(const pg_conn* connection);

}  // namespace tarn::postgres
