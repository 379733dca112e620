// Aggregates that the catalog answers: COUNT, MIN and MAX, grouped or not, over files of which
// statistics, deletes and partition values say all that is asked.
#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace tarn::engine {

/// From now on plans over lakes' tables get such answers before they are optimised. What files
/// cannot settle is read, and its answer comes on top.
void RegisterCatalogAnswers(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
