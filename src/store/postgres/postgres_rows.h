// A result that has arrived as a cursor.
#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>

#include "store/postgres/target.h"
#include "tarn/catalog_store.h"

namespace tarn::postgres {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

/// Needs the connection no more.
std::unique_ptr<Rows> MakeRows(Result result, std::shared_ptr<const Target> target,
                               std::string sql);

}  // namespace tarn::postgres
