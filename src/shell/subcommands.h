// tarn snapshots, tables, info, check, copy, import: what they print, and how they end.
#pragma once

#include "engine/session.h"
#include "shell/command_line.h"
#include "shell/import_plan.h"
#include "tarn/lake.h"

namespace tarn::shell {

void PrintSnapshots(engine::Session& session, const Arguments& arguments);
void PrintTables(engine::Session& session, const Arguments& arguments);
void PrintInfo(engine::Session& session, const Arguments& arguments);
/// Prints findings and a summary; returns the exit code.
int Check(engine::Session& session, const Arguments& arguments);

/// Copies the lake to another catalog; prints what was copied.
void RunCopy(engine::Session& session, const Arguments& arguments);

/// Reads the beginnings of the files; needs no lake.
void InferColumns(engine::Session& session, std::vector<ImportTable>& plan);
/// What an import would do. `has_lake`: it is attached.
void PrintImport(engine::Session& session, const Arguments& arguments,
                 const std::vector<ImportTable>& plan, bool has_lake);
/// All tables in one transaction.
void RunImport(engine::Session& session, const Arguments& arguments,
               const std::vector<ImportTable>& plan);

}  // namespace tarn::shell
