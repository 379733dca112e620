// See the header. libpq is linked statically, so its inner layout is the one of the headers that
// came with it.
#include "store/postgres/connection_state.h"

extern "C" {
#include <postgres_fe.h>

#include <libpq-int.h>
}

namespace tarn::postgres {

std::string ConnectSqlState(const pg_conn* connection) {
  return connection ? std::string(connection->last_sqlstate) : std::string();
}

}  // namespace tarn::postgres
