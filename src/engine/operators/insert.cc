// Plans INSERT and CREATE TABLE AS. Rows go through DuckDB's own copy operators, which keep their
// order and write in parallel where the source allows; our copy function (write_stream) is what
// they write with. See insert.h.
#include "engine/operators/insert.h"

#include <memory>
#include <utility>

#include "duckdb/catalog/catalog_entry/schema_catalog_entry.hpp"
#include "duckdb/execution/operator/persistent/physical_batch_copy_to_file.hpp"
#include "duckdb/execution/operator/persistent/physical_copy_to_file.hpp"
#include "duckdb/execution/physical_plan_generator.hpp"
#include "duckdb/parser/parsed_data/create_table_info.hpp"
#include "duckdb/planner/operator/logical_create_table.hpp"
#include "duckdb/planner/operator/logical_insert.hpp"
#include "duckdb/planner/parsed_data/bound_create_table_info.hpp"
#include "engine/bridge/errors.h"
#include "engine/bridge/types.h"
#include "engine/catalog/tarn_catalog.h"
#include "engine/catalog/tarn_table_entry.h"
#include "engine/operators/not_null_check.h"
#include "engine/operators/row_change.h"
#include "engine/operators/write_job.h"
#include "engine/operators/write_stream.h"
#include "engine/operators/write_types.h"
#include "tarn/error.h"

namespace tarn::engine {
namespace {

using duckdb::ClientContext;

// Where the rows go: settled when the statement runs, since CREATE TABLE AS makes its table then.
class WriteTarget {
 public:
  virtual ~WriteTarget() = default;
  virtual std::shared_ptr<const Table> Open(ClientContext& context) = 0;
  virtual std::string name() const = 0;
};

class ExistingTable : public WriteTarget {
 public:
  explicit ExistingTable(const TarnTableEntry& entry) : table_(entry.shared_table()) {}
  std::shared_ptr<const Table> Open(ClientContext&) override { return table_; }
  std::string name() const override { return table_->name; }

 private:
  const std::shared_ptr<const Table> table_;
};

class NewTable : public WriteTarget {
 public:
  explicit NewTable(duckdb::unique_ptr<duckdb::BoundCreateTableInfo> info)
      : info_(std::move(info)) {}

  std::shared_ptr<const Table> Open(ClientContext& context) override {
    auto& schema = info_->schema;
    auto& catalog = schema.catalog;
    auto entry = catalog.CreateTable(catalog.GetCatalogTransaction(context), schema, *info_);
    if (!entry) {
      throw Error(ErrorCode::kAlreadyExists, "Table with name \"" + name() + "\" already exists!");
    }
    return entry->Cast<TarnTableEntry>().shared_table();
  }

  std::string name() const override { return info_->Base().table; }

 private:
  const duckdb::unique_ptr<duckdb::BoundCreateTableInfo> info_;
};

// A copy operator that settles its target before it starts.
template <class CopyOperator>
class WriteOperator : public CopyOperator {
 public:
  WriteOperator(duckdb::PhysicalPlan& plan, duckdb::vector<duckdb::LogicalType> types,
                std::shared_ptr<WriteJob> job, std::unique_ptr<WriteTarget> target,
                const char* name, duckdb::idx_t estimated_cardinality)
      : CopyOperator(plan, std::move(types), MakeWriteFunction(*job), MakeWriteBindData(job),
                     estimated_cardinality),
        job_(std::move(job)),
        target_(std::move(target)),
        name_(name) {
    // The operator takes us for one file that is made with the first row.
    this->file_path = "";
    this->use_tmp_file = false;
    this->write_empty_file = false;
    this->return_type = duckdb::CopyFunctionReturnType::CHANGED_ROWS;
  }

  std::string GetName() const override { return name_; }

  duckdb::InsertionOrderPreservingMap<std::string> ParamsToString() const override {
    duckdb::InsertionOrderPreservingMap<std::string> result;
    result["Table"] = target_->name();
    return result;
  }

  duckdb::unique_ptr<duckdb::GlobalSinkState> GetGlobalSinkState(
      ClientContext& context) const override {
    Guard([&] { job_->Start(context, target_->Open(context)); });
    return CopyOperator::GetGlobalSinkState(context);
  }

 private:
  const std::shared_ptr<WriteJob> job_;
  const std::unique_ptr<WriteTarget> target_;
  const char* name_;
};

struct WritePlan {
  duckdb::vector<duckdb::LogicalType> types;  ///< of the operator's result, the count
  std::unique_ptr<WriteTarget> target;
  WriteOptions options;
  bool arranges = false;  ///< the order of the rows does not matter
  const char* name;
};

duckdb::PhysicalOperator& PlanWrite(ClientContext& context, duckdb::PhysicalPlanGenerator& planner,
                                    TarnCatalog& catalog, WritePlan write,
                                    duckdb::PhysicalOperator& rows) {
  using duckdb::CopyFunctionExecutionMode;
  using duckdb::PhysicalPlanGenerator;
  bool preserve_order = PhysicalPlanGenerator::PreserveInsertionOrder(context, rows);
  bool has_batch_index = PhysicalPlanGenerator::UseBatchIndex(context, rows);
  if (write.options.per_thread_output || write.arranges) {
    preserve_order = false;
    has_batch_index = false;
  }
  auto job = std::make_shared<WriteJob>(context, catalog, std::move(write.options));
  const auto mode = job->writer().execution_mode(preserve_order, has_batch_index);
  const auto cardinality = rows.estimated_cardinality;
  auto& source = CastToWrittenTypes(planner, rows);
  if (mode == CopyFunctionExecutionMode::BATCH_COPY_TO_FILE) {
    auto& copy = planner.Make<WriteOperator<duckdb::PhysicalBatchCopyToFile>>(
        std::move(write.types), std::move(job), std::move(write.target), write.name, cardinality);
    copy.children.push_back(source);
    return copy;
  }
  auto& copy = planner.Make<WriteOperator<duckdb::PhysicalCopyToFile>>(
      std::move(write.types), std::move(job), std::move(write.target), write.name, cardinality);
  auto& settings = copy.template Cast<duckdb::PhysicalCopyToFile>();
  settings.overwrite_mode = duckdb::CopyOverwriteMode::COPY_OVERWRITE_OR_IGNORE;
  settings.parallel = mode == CopyFunctionExecutionMode::PARALLEL_COPY_TO_FILE;
  settings.per_thread_output = false;
  settings.rotate = false;
  settings.partition_output = false;
  settings.write_partition_columns = false;
  settings.hive_file_pattern = false;
  copy.children.push_back(source);
  return copy;
}

// Rows are written and kept, in the order in which they come.
duckdb::PhysicalOperator& PlanInsertReturning(ClientContext& context,
                                              duckdb::PhysicalPlanGenerator& planner,
                                              duckdb::LogicalInsert& op, TarnTableEntry& entry,
                                              duckdb::PhysicalOperator& plan) {
  RowChange change;
  change.run = std::make_shared<ChangeRun>(entry);
  change.run->WillInsert(context);
  change.name = "TARN_INSERT";
  change.new_row = TableColumns(entry.GetTypes());
  change.returns = true;
  change.keeps_order = true;
  return PlanRowChange(planner, op.types, std::move(change), plan, op.estimated_cardinality);
}

}  // namespace

duckdb::PhysicalOperator& PlanInsert(ClientContext& context, duckdb::PhysicalPlanGenerator& planner,
                                     duckdb::LogicalInsert& op,
                                     duckdb::optional_ptr<duckdb::PhysicalOperator> plan) {
  auto& entry = op.table.Cast<TarnTableEntry>();
  const auto& table = entry.table();
  if (op.on_conflict_info.action_type != duckdb::OnConflictAction::THROW) {
    throw Error(ErrorCode::kUnsupported,
                "ON CONFLICT and INSERT OR REPLACE need a primary key or a unique constraint, "
                "which DuckLake tables do "
                "not have. Delete the old rows first, in the same transaction.");
  }
  RequireRowsWritable(table);
  if (!plan) {
    throw duckdb::InternalException("INSERT without rows to insert");
  }
  if (!op.column_index_map.empty()) {
    plan = planner.ResolveDefaultsProjection(op, *plan);
  }
  if (op.return_chunk) {
    return PlanInsertReturning(context, planner, op, entry, *plan);
  }
  auto& checked = CheckNotNull(planner, *plan, table.name, table.columns);
  WritePlan write;
  write.types = op.types;
  write.target = std::make_unique<ExistingTable>(entry);
  write.options = ReadWriteOptions(context, entry.lake_catalog(), &table);
  write.arranges = ArrangesRows(table, write.options);
  write.name = "TARN_INSERT";
  return PlanWrite(context, planner, entry.lake_catalog(), std::move(write), checked);
}

duckdb::PhysicalOperator& PlanCreateTableAs(ClientContext& context,
                                            duckdb::PhysicalPlanGenerator& planner,
                                            duckdb::LogicalCreateTable& op,
                                            duckdb::PhysicalOperator& plan) {
  auto& catalog = op.schema.catalog.Cast<TarnCatalog>();
  // Types that the format does not have are refused before anything runs.
  ToColumns(op.info->Base().columns);
  WritePlan write;
  write.types = op.types;
  const auto& create = op.info->Base().Cast<duckdb::CreateTableInfo>();
  write.arranges = !create.partition_keys.empty() || !create.sort_keys.empty();
  write.target = std::make_unique<NewTable>(std::move(op.info));
  write.options = ReadWriteOptions(context, catalog, nullptr);
  write.name = "TARN_CREATE_TABLE_AS";
  return PlanWrite(context, planner, catalog, std::move(write), plan);
}

}  // namespace tarn::engine
