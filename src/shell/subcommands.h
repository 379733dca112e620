// tarn snapshots, tables, info, check: what they print, and how they end.
#pragma once

#include "engine/session.h"
#include "shell/command_line.h"
#include "tarn/lake.h"

namespace tarn::shell {

void PrintSnapshots(engine::Session& session, const Arguments& arguments);
void PrintTables(engine::Session& session, const Arguments& arguments);
void PrintInfo(engine::Session& session, const Arguments& arguments);
/// Prints findings and a summary; returns the exit code.
int Check(engine::Session& session, const Arguments& arguments);

}  // namespace tarn::shell
