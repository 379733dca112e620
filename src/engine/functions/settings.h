// Session settings of Tarn: SET ducklake_x = ….
#pragma once

#include <cstdint>
#include <optional>

#include "duckdb.hpp"
#include "tarn/lake.h"

namespace tarn::engine {

void RegisterSettings(duckdb::DatabaseInstance& db);

RetryOptions ReadRetryOptions(duckdb::ClientContext& context);
/// `SET tarn_isolation = 'serializable'`: what a transaction reads makes it conflict, too.
bool ReadsAreSerializable(duckdb::ClientContext& context);
/// `SET tarn_metadata_answers = false`: aggregates are read from files, whatever the catalog knows.
bool AnswersFromCatalog(duckdb::ClientContext& context);
int64_t ReadDefaultInliningLimit(duckdb::ClientContext& context);
/// Whether deletes are to be written as deletion vectors where neither lake nor ATTACH says.
bool ReadDeletionVectors(duckdb::ClientContext& context);
/// Bytes for Lake::SetMetadataCacheSize.
int64_t ReadMetadataCacheSize(duckdb::ClientContext& context);
/// The session's target file size in bytes, which wins over every stored one; absent when it is not
/// set.
std::optional<int64_t> ReadTargetFileSize(duckdb::ClientContext& context);

}  // namespace tarn::engine
