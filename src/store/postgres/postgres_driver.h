// The driver for catalogs in PostgreSQL databases (12 and later), by libpq.
#pragma once

#include <cstdint>
#include <memory>

#include "tarn/catalog_store.h"
#include "tarn/stores.h"  // RegisterPostgresDriver

namespace tarn {

/// Opens a PostgreSQL database as a catalog and looks whether it answers. `location` is what libpq
/// takes: `key=value` pairs, a `postgres://` address, the name of a database, or nothing at all;
/// what it leaves open comes from the environment, service files and .pgpass as everywhere.
/// `parameters` are libpq's keywords too, which `location` wins over. The tables lie in
/// `options.schema`, by default `public`.
///
/// Throws kInvalid for a refused role or password and for a connection string that makes no sense,
/// kNotFound for a database that does not exist, kUnavailable for a server that does not answer.
std::shared_ptr<CatalogStore> OpenPostgresStore(const StoreOptions& options);

/// How often this process has waited for a server's answer, opening connections aside: what a
/// statement costs over a slow network. For tests and measurements.
int64_t PostgresRoundTrips();

}  // namespace tarn
