// The footer of a registered file as if the lake had written it.
#pragma once

#include "tarn/data_file.h"
#include "tarn/footer.h"

namespace tarn {

/// Gives each field the id that the name map has for it, and its statistics, too. Fields that the
/// map does not have are taken out.
void ApplyNameMap(const NameMap& names, ParquetFooter& footer);

}  // namespace tarn
