// The row limit of inlining. See inlining_limit.h.
#include "engine/catalog/inlining_limit.h"

#include <charconv>
#include <string>

#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/settings.h"

namespace tarn::engine {

int64_t InliningRowLimit(duckdb::ClientContext& context, TarnTransaction& transaction,
                         SchemaRef schema, std::optional<TableRef> table) {
  if (const auto stored =
          transaction.kernel().options().Find("data_inlining_row_limit", schema, table)) {
    int64_t limit = 0;
    if (std::from_chars(stored->data(), stored->data() + stored->size(), limit).ec == std::errc())
      return limit;
  }
  const auto& attach = transaction.catalog().attach_options();
  if (attach.data_inlining_row_limit) return static_cast<int64_t>(*attach.data_inlining_row_limit);
  return ReadDefaultInliningLimit(context);
}

}  // namespace tarn::engine
