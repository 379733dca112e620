// Making a new lake in a catalog database, and judging one that is there.
#pragma once

#include <string>

#include "catalog/connection_pool.h"
#include "catalog/lake_impl.h"
#include "tarn/lake.h"

namespace tarn {

/// The version of the format that is written and read.
inline constexpr const char* kFormatVersion = "1.0";

/// Opens the lake of this store or makes it, as the options allow.
LakeImpl::Settled OpenOrCreateLake(ConnectionPool& pool, const LakeOptions& options);

}  // namespace tarn
