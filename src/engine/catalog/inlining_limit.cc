// The row limit of inlining. See inlining_limit.h.
#include "engine/catalog/inlining_limit.h"

#include "catalog/inlining.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/settings.h"

namespace tarn::engine {

int64_t DefaultInliningRowLimit(duckdb::ClientContext& context, const TarnCatalog& catalog) {
  const auto& attach = catalog.attach_options();
  if (attach.data_inlining_row_limit) return static_cast<int64_t>(*attach.data_inlining_row_limit);
  return ReadDefaultInliningLimit(context);
}

int64_t InliningRowLimit(duckdb::ClientContext& context, TarnTransaction& transaction,
                         SchemaRef schema, std::optional<TableRef> table) {
  return InliningLimit(transaction.kernel().options(), schema, table,
                       DefaultInliningRowLimit(context, transaction.catalog()));
}

}  // namespace tarn::engine
