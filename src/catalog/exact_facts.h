// Which statistics of a file are more than bounds: what may be answered without opening it. Format
// page, section 4.
#pragma once

#include "catalog/predicate_pruner.h"
#include "tarn/data_file.h"

namespace tarn {

/// Marks those of the facts, as FactsFromStats has made them of `stats`, that are surely exact.
/// `same_type`: the column had its present type when all of the file was written. `has_lake_name`:
/// a client of the lake has named the file. Only those count: of registered ones nobody knows who
/// wrote the footers. The file's path matters to floats only.
void MarkExact(const PrunableField& field, const ColumnStats& stats, const DataFile& file,
               bool has_lake_name, bool same_type, FieldFacts& facts);

}  // namespace tarn
