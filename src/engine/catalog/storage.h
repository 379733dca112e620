// The storage extension: what answers ATTACH 'tarn:…', ATTACH 'ducklake:…' and both TYPEs.
#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace tarn::engine {

// Registers Tarn as the storage behind both names.
void RegisterStorage(duckdb::DatabaseInstance& db);

}  // namespace tarn::engine
