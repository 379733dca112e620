// A change set as rows.
#include "catalog/commit_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/assert.h"
#include "catalog/commit_plan_rows.h"
#include "catalog/commit_words.h"
#include "catalog/planned_name_maps.h"
#include "catalog/planned_stats.h"
#include "format/type_names.h"
#include "store/statement.h"

namespace tarn {
namespace {

using From = HeadRelative::From;

PlanValue Bound(auto&& value) {
  return StatementBuilder::ToValue(std::forward<decltype(value)>(value));
}
const PlanValue kNull = Value();
const PlanValue kThisSnapshot = HeadRelative{From::kSnapshotId};

/// A column with the id of the one that it lies in.
struct FlatColumn {
  const Column* column;
  std::optional<FieldId> parent;
};

void Flatten(const std::vector<Column>& columns, std::optional<FieldId> parent,
             std::vector<FlatColumn>& out) {
  for (const Column& column : columns) {
    out.push_back({&column, parent});
    Flatten(column.children, column.id, out);
  }
}

class PlanBuilder : private PlanRows {
 public:
  PlanBuilder(const ChangeSet& changes, const SettledDeletes& deletes, const InlinedPlaces& inlined)
      : changes_(changes), deletes_(deletes), inlined_(inlined), diff_(changes.catalog) {}

  CommitPlan Build() {
    plan_.makes_snapshot = changes_.MakesSnapshot();
    plan_.changes_schema = !diff_.empty();
    plan_.message = changes_.message;
    AssignIds();
    plan_.words = BuildWords(changes_, deletes_, plan_.new_objects);
    for (const auto& schema : diff_.dropped_schemas) DropSchema(*schema);
    for (const auto& table : diff_.dropped_tables) DropTable(*table);
    for (const auto& view : diff_.dropped_views) DropView(*view);
    for (const auto& macro : diff_.dropped_macros) DropMacro(*macro);
    for (const auto& schema : diff_.created_schemas) CreateSchema(*schema);
    for (const auto& table : diff_.created_tables) WriteTable(nullptr, *table);
    for (const auto& [before, after] : diff_.altered_tables) WriteTable(before.get(), *after);
    for (const auto& view : diff_.created_views) WriteView(nullptr, *view);
    for (const auto& [before, after] : diff_.altered_views) WriteView(before.get(), *after);
    for (const auto& macro : diff_.created_macros) CreateMacro(*macro);
    for (const auto& [before, after] : diff_.altered_macros)
      WriteTags(before->tags, after->tags, /*is_new=*/false, IdOf(after->ref));
    for (const auto& [ref, rows] : changes_.rows) AddLostFields(ref, rows);
    for (const auto& [ref, rows] : changes_.rows) AddFiles(ref, rows);
    for (const auto& [ref, rows] : changes_.rows) AddFlush(ref, rows);
    for (const auto& [ref, rows] : changes_.rows) {
      for (const Compaction& compaction : rows.compactions) AddCompaction(ref, compaction);
    }
    for (const auto& [ref, files] : deletes_.ended_files) EndFiles(ref, files);
    for (const WrittenDelete& written : deletes_.written) AddDelete(written);
    for (const auto& [ref, rows] : changes_.rows) EndInlined(ref, rows);
    for (const auto& [ref, files] : deletes_.inlined) {
      for (const auto& [file, positions] : files)
        plan_.inlined_deletes.push_back({ref.id(), file, positions});
    }
    for (const OptionChange& option : changes_.options) AddOption(option);
    SortInserts();
    return std::move(plan_);
  }

 private:
  // --- ids ---

  void AssignIds() {
    auto assign = [&](auto ref) {
      if (ref.is_new()) plan_.new_objects.emplace(ref.ordinal(), plan_.catalog_ids++);
    };
    for (const auto& schema : diff_.created_schemas) assign(schema->ref);
    for (const auto& table : diff_.created_tables) assign(table->ref);
    for (const auto& view : diff_.created_views) assign(view->ref);
    for (const auto& macro : diff_.created_macros) assign(macro->ref);
    auto assign_specs = [&](const Table& table) {
      if (table.partition) assign(table.partition->ref);
      if (table.sort) assign(table.sort->ref);
    };
    for (const auto& table : diff_.created_tables) assign_specs(*table);
    for (const auto& [before, after] : diff_.altered_tables) assign_specs(*after);
  }

  template <class IdType>
  PlanValue IdOf(Ref<IdType> ref) const {
    return PlannedId(ref, plan_.new_objects);
  }

  // --- drops ---

  void DropSchema(const Schema& schema) {
    End(tables::Schema::kTable, tables::Schema::kSchemaId.name, schema.ref.id().value);
    End(tables::Tag::kTable, tables::Tag::kObjectId.name, schema.ref.id().value);
  }

  void DropTable(const Table& table) {
    Value id = table.ref.id().value;
    End(tables::Table::kTable, tables::Table::kTableId.name, id);
    End(tables::Column::kTable, tables::Column::kTableId.name, id);
    End(tables::DataFile::kTable, tables::DataFile::kTableId.name, id);
    End(tables::DeleteFile::kTable, tables::DeleteFile::kTableId.name, id);
    End(tables::Tag::kTable, tables::Tag::kObjectId.name, id);
    End(tables::ColumnTag::kTable, tables::ColumnTag::kTableId.name, id);
    End(tables::PartitionInfo::kTable, tables::PartitionInfo::kTableId.name, id);
    End(tables::SortInfo::kTable, tables::SortInfo::kTableId.name, id);
  }

  void DropView(const View& view) {
    End(tables::View::kTable, tables::View::kViewId.name, view.ref.id().value);
    End(tables::Tag::kTable, tables::Tag::kObjectId.name, view.ref.id().value);
  }

  void DropMacro(const Macro& macro) {
    End(tables::Macro::kTable, tables::Macro::kMacroId.name, macro.ref.id().value);
    End(tables::Tag::kTable, tables::Tag::kObjectId.name, macro.ref.id().value);
  }

  // --- new and changed objects ---

  void CreateSchema(const Schema& schema) {
    Insert(tables::Schema::kTable,
           {IdOf(schema.ref), Bound(schema.uuid), kThisSnapshot, kNull, Bound(schema.name),
            Bound(schema.path), Bound(schema.path_is_relative)});
    Mark(tables::Schema::kTable, tables::Schema::kSchemaUuid.name, schema.uuid);
  }

  /// A new table, or what differs from `before`.
  void WriteTable(const Table* before, const Table& after) {
    TableAlterations changed;
    if (before != nullptr) changed = CompareTables(*before, after);
    if (before == nullptr || changed.renamed) {
      if (before != nullptr)
        End(tables::Table::kTable, tables::Table::kTableId.name, after.ref.id().value);
      Insert(tables::Table::kTable,
             {IdOf(after.ref), Bound(after.uuid), kThisSnapshot, kNull, IdOf(after.schema),
              Bound(after.name), Bound(after.path), Bound(after.path_is_relative)});
    }
    // One that comes back has been there under the same uuid.
    if (after.ref.is_new()) Mark(tables::Table::kTable, tables::Table::kTableUuid.name, after.uuid);
    WriteColumns(before, after);
    if (before == nullptr ? after.partition.has_value() : changed.partition_changed)
      WritePartition(before, after);
    if (before == nullptr ? after.sort.has_value() : changed.sort_changed) WriteSort(before, after);
    WriteTags(before == nullptr ? Tags() : before->tags, after.tags, before == nullptr,
              IdOf(after.ref));
    WriteColumnTags(before, after);
    if (before == nullptr || changed.reshaped()) {
      Insert(tables::SchemaVersions::kTable,
             {kThisSnapshot, HeadRelative{From::kSchemaVersion}, IdOf(after.ref)});
      reshaped_.insert(after.ref);
      const bool may_inline = inlined_.dialect != nullptr && changes_.inlining.LimitOf(after) > 0 &&
                              CanInline(*inlined_.dialect, after);
      if (may_inline) MakeInlinedTable(after.ref, HeadRelative{From::kSchemaVersion});
    }
  }

  void MakeInlinedTable(TableRef ref, const PlanValue& schema_version) {
    plan_.inlined_tables.push_back({IdOf(ref), schema_version, changes_.after->FindTable(ref)});
    has_inlined_table_.insert(ref);
  }

  void WriteColumns(const Table* before, const Table& after) {
    std::vector<FlatColumn> old_columns, new_columns;
    if (before != nullptr) Flatten(before->columns, std::nullopt, old_columns);
    Flatten(after.columns, std::nullopt, new_columns);
    std::map<FieldId, FlatColumn> old_by_id;
    for (const FlatColumn& flat : old_columns) old_by_id.emplace(flat.column->id, flat);
    for (const FlatColumn& flat : new_columns) {
      auto old_column = old_by_id.find(flat.column->id);
      bool existed = old_column != old_by_id.end();
      if (existed && SameColumnRow(*old_column->second.column, *flat.column)) {
        old_by_id.erase(old_column);
        continue;
      }
      WriteColumn(after.ref, flat, kNull);
    }
    for (const auto& [id, flat] : old_by_id) {
      End(tables::Column::kTable, tables::Column::kColumnId.name, id.value,
          {{tables::Column::kTableId.name, after.ref.id().value}});
    }
  }

  void WriteColumn(TableRef table, const FlatColumn& flat, const PlanValue& end) {
    const Column& column = *flat.column;
    bool nested = IsNested(RequireTypeName(column.type).kind);
    // The stored form of "no default" is the text NULL, of type literal; a nested column's type is
    // empty.
    std::string default_value = column.default_value.value_or("NULL");
    std::string default_type = column.default_value_type.value_or(nested ? "" : "literal");
    Insert(tables::Column::kTable,
           {Bound(column.id), kThisSnapshot, end, IdOf(table), Bound(column.order),
            Bound(column.name), Bound(column.type), Bound(column.initial_default),
            Bound(default_value), Bound(column.nulls_allowed), Bound(flat.parent),
            Bound(default_type), Bound(column.default_value_dialect.value_or("duckdb"))});
  }

  void WritePartition(const Table* before, const Table& after) {
    // Also where there seems to be none: the reference's RESET leaves a spec without keys alive.
    if (before != nullptr) {
      End(tables::PartitionInfo::kTable, tables::PartitionInfo::kTableId.name,
          after.ref.id().value);
    }
    if (!after.partition) return;
    PlanValue id = IdOf(after.partition->ref);
    Insert(tables::PartitionInfo::kTable, {id, IdOf(after.ref), kThisSnapshot, kNull});
    for (size_t i = 0; i < after.partition->keys.size(); ++i) {
      const PartitionKey& key = after.partition->keys[i];
      Insert(tables::PartitionColumn::kTable,
             {id, IdOf(after.ref), Bound(i), Bound(key.field), Bound(key.transform)});
    }
  }

  void WriteSort(const Table* before, const Table& after) {
    if (before != nullptr && before->sort) {
      End(tables::SortInfo::kTable, tables::SortInfo::kTableId.name, after.ref.id().value);
    }
    if (!after.sort) return;
    PlanValue id = IdOf(after.sort->ref);
    Insert(tables::SortInfo::kTable, {id, IdOf(after.ref), kThisSnapshot, kNull});
    for (size_t i = 0; i < after.sort->keys.size(); ++i) {
      const SortKey& key = after.sort->keys[i];
      Insert(tables::SortExpression::kTable,
             {id, IdOf(after.ref), Bound(i), Bound(key.expression), Bound(key.dialect),
              Bound(key.descending ? "DESC" : "ASC"),
              Bound(key.nulls_first ? "NULLS_FIRST" : "NULLS_LAST")});
    }
  }

  /// Calls `write(key, value)` for each tag to write; a tag that is gone is written as NULL, which
  /// is how the format clears a comment.
  template <class Write>
  static void ForChangedTags(const Tags& before, const Tags& after, Write write) {
    for (const auto& [key, value] : after) {
      auto old_value = before.find(key);
      if (old_value == before.end() || old_value->second != value) write(key, Value(value));
    }
    for (const auto& [key, value] : before) {
      if (after.find(key) == after.end()) write(key, Value());
    }
  }

  void WriteTags(const Tags& before, const Tags& after, bool is_new, const PlanValue& object_id) {
    ForChangedTags(before, after, [&](const std::string& key, Value value) {
      // A cleared tag has a live row too, which the view does not show: so end whatever there is.
      if (!is_new)
        End(tables::Tag::kTable, tables::Tag::kKey.name, key,
            {{tables::Tag::kObjectId.name, std::get<Value>(object_id)}});
      Insert(tables::Tag::kTable, {object_id, kThisSnapshot, kNull, Bound(key), std::move(value)});
    });
  }

  void WriteColumnTags(const Table* before, const Table& after) {
    static const std::map<FieldId, Tags> kNoTags;
    const std::map<FieldId, Tags>& old_tags = before == nullptr ? kNoTags : before->column_tags;
    std::map<FieldId, Tags> all = after.column_tags;
    for (const auto& [field, tags] : old_tags) all.emplace(field, Tags());
    for (const auto& [field, tags] : all) {
      auto old_column = old_tags.find(field);
      bool dropped = after.FindField(field) == nullptr;
      ForChangedTags(old_column == old_tags.end() ? Tags() : old_column->second, tags,
                     [&](const std::string& key, Value value) {
                       if (before != nullptr) {
                         End(tables::ColumnTag::kTable, tables::ColumnTag::kKey.name, key,
                             {{tables::ColumnTag::kTableId.name, after.ref.id().value},
                              {tables::ColumnTag::kColumnId.name, field.value}});
                       }
                       if (dropped) return;
                       Insert(tables::ColumnTag::kTable,
                              {IdOf(after.ref), Bound(field), kThisSnapshot, kNull, Bound(key),
                               std::move(value)});
                     });
    }
  }

  void WriteView(const View* before, const View& after) {
    if (before == nullptr || !SameViewRow(*before, after)) {
      if (before != nullptr)
        End(tables::View::kTable, tables::View::kViewId.name, after.ref.id().value);
      Insert(tables::View::kTable, {IdOf(after.ref), Bound(after.uuid), kThisSnapshot, kNull,
                                    IdOf(after.schema), Bound(after.name), Bound(after.dialect),
                                    Bound(after.sql), Bound(after.column_aliases)});
    }
    if (after.ref.is_new()) Mark(tables::View::kTable, tables::View::kViewUuid.name, after.uuid);
    WriteTags(before == nullptr ? Tags() : before->tags, after.tags, before == nullptr,
              IdOf(after.ref));
  }

  void CreateMacro(const Macro& macro) {
    PlanValue id = IdOf(macro.ref);
    Insert(tables::Macro::kTable,
           {IdOf(macro.schema), id, Bound(macro.name), kThisSnapshot, kNull});
    WriteTags(Tags(), macro.tags, /*is_new=*/true, id);
    for (size_t i = 0; i < macro.implementations.size(); ++i) {
      const MacroImplementation& impl = macro.implementations[i];
      Insert(tables::MacroImpl::kTable,
             {id, Bound(i), Bound(impl.dialect), Bound(impl.sql), Bound(impl.type)});
      for (size_t k = 0; k < impl.parameters.size(); ++k) {
        const MacroParameter& parameter = impl.parameters[k];
        Insert(
            tables::MacroParameters::kTable,
            {id, Bound(i), Bound(k), Bound(parameter.name), Bound(parameter.type),
             Bound(parameter.default_value.value_or("NULL")), Bound(parameter.default_value_type)});
      }
    }
  }

  // --- files ---

  /// Columns that began and ended in this commit: alive at no snapshot, but their ids are taken.
  void AddLostFields(TableRef ref, const RowChanges& rows) {
    if (rows.data_files.empty()) return;
    for (const LostField& lost : rows.lost_fields)
      WriteColumn(ref, {&lost.column, lost.parent}, kThisSnapshot);
  }

  void AddFiles(TableRef ref, const RowChanges& rows) {
    if (!rows.inserts()) return;
    std::shared_ptr<const Table> table = changes_.after->FindTable(ref);
    TARN_ASSERT(table != nullptr);
    PlanStats stats;
    stats.table_id = IdOf(ref);
    stats.row_ids = rows.first_row_id;
    stats.columns = SummarizeRows(*table, rows);
    name_maps_.Add(ref, stats.table_id, rows, plan_.file_ids,
                   [this](auto& into, auto row) { Insert(into, std::move(row)); });
    for (size_t i = 0; i < rows.data_files.size(); ++i) {
      const DataFile& file = rows.data_files[i];
      staged_ids_.emplace(std::pair(ref, i), HeadRelative{From::kFileId, plan_.file_ids});
      PlanValue row_id = HeadRelative{From::kRowId, stats.row_ids, plan_.stats.size()};
      if (file.is_revived) row_id = Bound(file.row_id_start);
      AddFile(*table, stats.table_id, file, {kThisSnapshot, kNull, row_id});
      stats.rows += file.record_count;
      if (!file.is_revived) stats.row_ids += file.record_count;
      stats.bytes += file.file_size_bytes;
    }
    if (rows.inserts_inlined()) AddInlined(ref, table, rows, stats);
    plan_.stats.push_back(std::move(stats));
  }

  /// Rows for the catalog, numbered after those of files.
  void AddInlined(TableRef ref, std::shared_ptr<const Table> table, const RowChanges& rows,
                  PlanStats& stats) {
    PlanValue schema_version = HeadRelative{From::kSchemaVersion};
    bool has_table = has_inlined_table_.contains(ref);
    if (!reshaped_.contains(ref)) {
      const InlinedTarget& target = inlined_.targets.at(ref);
      has_table = target.is_registered;
      if (has_table) {
        schema_version = Bound(target.schema_version);
      } else {
        // Other clients keep with their objects, until the version changes, which have such tables.
        plan_.changes_schema = true;
      }
      // Alterations by others that these rows survive.
      if (inlined_.head != nullptr && inlined_.head->FindTable(ref) != nullptr)
        table = inlined_.head->FindTable(ref);
    }
    if (!has_table) plan_.inlined_tables.push_back({stats.table_id, schema_version, table});
    for (const StagedBatch& batch : rows.staged_rows) {
      const HeadRelative first{From::kRowId, stats.row_ids, plan_.stats.size()};
      plan_.inlined_inserts.push_back({stats.table_id, schema_version, table, batch, first});
      stats.rows += batch.live();
      if (!batch.rows->keeps_row_ids()) stats.row_ids += batch.live();
    }
    // Other clients give such rows a file's number.
    if (!rows.inserts_files()) ++plan_.file_ids;
  }

  /// Files that a flush wrote are of the snapshots of their rows; the rows are counted already.
  void AddFlush(TableRef ref, const RowChanges& rows) {
    if (!rows.flush) return;
    const Table& table = *changes_.after->FindTable(ref);
    int64_t bytes = 0;
    for (size_t i = 0; i < rows.flush->tables.size(); ++i) {
      const FlushedTable& flushed = rows.flush->tables[i];
      for (size_t k = 0; k < flushed.files.size(); ++k) {
        const DataFile& file = flushed.files[k];
        flushed_ids_.emplace(std::tuple(ref, i, k), HeadRelative{From::kFileId, plan_.file_ids});
        AddFile(table, IdOf(ref), file,
                {Bound(file.begin_snapshot), IsEmptied(ref, {i, k}) ? kThisSnapshot : kNull,
                 Bound(file.row_id_start)});
        bytes += file.file_size_bytes;
        AddNulls(file, StatsOf(IdOf(ref)).columns);
      }
      plan_.flushes.push_back(
          {ref.id(), flushed.table_name, changes_.base.id, {}, flushed.row_count});
    }
    auto deletes = deletes_.flushed.find(ref);
    if (deletes != deletes_.flushed.end()) {
      PlanFlush flush{ref.id(), InlinedDeleteTableName(ref.id()), changes_.base.id, {}, 0};
      for (DataFileId file : deletes->second.files) flush.files.push_back(file.value);
      flush.count = deletes->second.count;
      plan_.flushes.push_back(std::move(flush));
    }
    if (bytes > 0) StatsOf(IdOf(ref)).bytes += bytes;
  }

  /// Rows of merged files keep their snapshots, so nobody needs the sources any more; what a
  /// rewrite left out is still in its sources, and does not count any more.
  void AddCompaction(TableRef ref, const Compaction& compaction) {
    const bool merges = compaction.kind == CompactionKind::kMerge;
    if (compaction.file) {
      const DataFile& file = *compaction.file;
      AddFile(
          *compaction.shape, IdOf(ref), file,
          {merges ? Bound(file.begin_snapshot) : kThisSnapshot, kNull, Bound(file.row_id_start)});
    }
    if (merges) {
      for (const CatalogTable* table :
           {&tables::DataFile::kTable, &tables::FileColumnStats::kTable,
            &tables::FileVariantStats::kTable, &tables::FilePartitionValue::kTable}) {
        PlanRemoval& removal = RemovalOf(*table, ref.id(), tables::DataFile::kDataFileId.name);
        removal.checked = table == &tables::DataFile::kTable;
        for (const Compaction::Source& source : compaction.sources)
          removal.ids.push_back(source.id.value);
      }
      for (const Compaction::Source& source : compaction.sources) {
        Insert(tables::FilesScheduledForDeletion::kTable,
               {Bound(source.id), Bound(source.path), Bound(source.path_is_relative),
                HeadRelative{From::kSnapshotTime}});
      }
    } else {
      std::vector<DataFileId> files;
      for (const Compaction::Source& source : compaction.sources) files.push_back(source.id);
      EndFiles(ref, files);
      PlanStats& stats = StatsOf(IdOf(ref));
      stats.rows -= compaction.source_rows;
      stats.bytes -= compaction.source_bytes;
      if (compaction.file) {
        stats.rows += compaction.file->record_count;
        stats.bytes += compaction.file->file_size_bytes;
      }
    }
  }

  bool IsEmptied(TableRef ref, std::pair<size_t, size_t> flushed) const {
    return std::any_of(
        deletes_.written.begin(), deletes_.written.end(), [&](const WrittenDelete& written) {
          return written.table == ref && written.flushed == flushed && written.takes_all;
        });
  }

  /// How the statistics of a table that is there grow, or shrink.
  PlanStats& StatsOf(const PlanValue& table_id) {
    for (PlanStats& stats : plan_.stats) {
      if (stats.table_id == table_id) return stats;
    }
    PlanStats& stats = plan_.stats.emplace_back();
    stats.table_id = table_id;
    return stats;
  }

  struct Life {
    PlanValue begin;
    PlanValue end;
    PlanValue row_id_start;
  };
  void AddFile(const Table& table, const PlanValue& table_id, const DataFile& file,
               const Life& life) {
    PlanValue id = HeadRelative{From::kFileId, plan_.file_ids++};
    Insert(tables::DataFile::kTable,
           {id, table_id, life.begin, life.end, kNull /* file_order */, Bound(file.path),
            Bound(file.path_is_relative), Bound(file.format), Bound(file.record_count),
            Bound(file.file_size_bytes), Bound(file.footer_size), life.row_id_start,
            file.partition_id ? IdOf(*file.partition_id) : kNull, Bound(file.encryption_key),
            name_maps_.Of(file), Bound(file.partial_max)});
    if (!plan_.mark || plan_.mark->table != &tables::DataFile::kTable) {
      plan_.mark = PlanMark{&tables::DataFile::kTable, tables::DataFile::kPath.name, file.path};
    }
    for (size_t i = 0; i < file.partition_values.size(); ++i) {
      Insert(tables::FilePartitionValue::kTable,
             {id, table_id, Bound(i), Bound(file.partition_values[i])});
    }
    PlanFileStats(table, table_id, id, file,
                  [this](auto& into, auto row) { Insert(into, std::move(row)); });
  }

  // --- deletes ---

  void EndFiles(TableRef ref, const std::vector<DataFileId>& files) {
    std::vector<Value> ids;
    for (DataFileId file : files) ids.push_back(file.value);
    plan_.ends.push_back({&tables::DataFile::kTable,
                          {{tables::DataFile::kTableId.name, ref.id().value}},
                          tables::DataFile::kDataFileId.name,
                          ids,
                          ref.id()});
    plan_.ends.push_back({&tables::DeleteFile::kTable,
                          {{tables::DeleteFile::kTableId.name, ref.id().value}},
                          tables::DeleteFile::kDataFileId.name,
                          std::move(ids),
                          std::nullopt});
  }

  void AddDelete(const WrittenDelete& written) {
    PlanValue data_file = Bound(written.data_file);
    if (written.staged_index) {
      data_file = staged_ids_.at({written.table, *written.staged_index});
    } else if (written.flushed) {
      const auto [i, k] = *written.flushed;
      data_file = flushed_ids_.at({written.table, i, k});
    }
    PlanValue last = written.is_partial ? kThisSnapshot : kNull;
    if (written.last_snapshot) last = Bound(*written.last_snapshot);
    const DeleteFile& file = written.file;
    Insert(
        tables::DeleteFile::kTable,
        {HeadRelative{From::kFileId, plan_.file_ids++}, IdOf(written.table),
         written.begin_snapshot ? Bound(*written.begin_snapshot) : kThisSnapshot,
         written.takes_all ? kThisSnapshot : kNull, data_file, Bound(file.path),
         Bound(file.path_is_relative), Bound(file.format), Bound(file.delete_count),
         Bound(file.file_size_bytes), Bound(file.footer_size), Bound(file.encryption_key), last});
    Mark(tables::DeleteFile::kTable, tables::DeleteFile::kPath.name, file.path);
    for (const WrittenDelete::Superseded& old : written.superseded) {
      if (!written.removes_superseded()) {
        EndChecked(written.table.id(), old.id);
        continue;
      }
      RemovalOf(tables::DeleteFile::kTable, written.table.id(),
                tables::DeleteFile::kDeleteFileId.name)
          .ids.push_back(old.id.value);
      Insert(tables::FilesScheduledForDeletion::kTable,
             {Bound(old.id), Bound(old.path), Bound(old.path_is_relative),
              HeadRelative{From::kSnapshotTime}});
    }
  }

  void EndChecked(TableId of, DeleteFileId id) {
    const bool same = !plan_.ends.empty() &&
                      plan_.ends.back().id_column == tables::DeleteFile::kDeleteFileId.name &&
                      plan_.ends.back().checked == of;
    if (!same) {
      plan_.ends.push_back(
          {&tables::DeleteFile::kTable, {}, tables::DeleteFile::kDeleteFileId.name, {}, of});
    }
    plan_.ends.back().ids.push_back(id.value);
  }

  void EndInlined(TableRef ref, const RowChanges& rows) {
    for (const auto& [name, removed] : rows.removed_inlined) {
      if (rows.IsFlushed(name)) continue;  // they end in the files that are flushed
      plan_.inlined_ends.push_back(
          {ref.id(), name, changes_.base.id, removed.all, removed.positions, removed.count});
    }
  }

  void AddOption(const OptionChange& option) {
    PlanOption out{option.key, option.value, std::nullopt, kNull};
    if (option.scope.table) {
      out.scope = "table";
      out.scope_id = IdOf(*option.scope.table);
    } else if (option.scope.schema) {
      out.scope = "schema";
      out.scope_id = IdOf(*option.scope.schema);
    }
    plan_.options.push_back(std::move(out));
  }

  const ChangeSet& changes_;
  const SettledDeletes& deletes_;
  const InlinedPlaces& inlined_;
  PlannedNameMaps name_maps_{inlined_.name_maps};
  const ViewDiff& diff_;
  std::map<std::pair<TableRef, size_t>, PlanValue> staged_ids_;
  std::set<TableRef> reshaped_;           ///< tables that get a new schema version
  std::set<TableRef> has_inlined_table_;  ///< of those
  std::map<std::tuple<TableRef, size_t, size_t>, PlanValue> flushed_ids_;
};

}  // namespace

CommitPlan BuildCommitPlan(const ChangeSet& changes, const SettledDeletes& deletes,
                           const InlinedPlaces& inlined) {
  return PlanBuilder(changes, deletes, inlined).Build();
}

}  // namespace tarn
