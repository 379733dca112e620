// Arguments that functions of maintenance share, and ages given as options.
#pragma once

#include <optional>
#include <string>

#include "engine/functions/lake_function.h"
#include "tarn/snapshot.h"

namespace tarn::engine {

/// A named flag; false when it is not given. Refuses NULL.
bool FlagArgument(const LakeCall& call, const char* name);
/// A named time; absent when it is not given. Refuses NULL. Its parameter is of type ANY: ages get
/// advice here, which a cast by the binder does not give.
std::optional<Timestamp> TimeArgument(const LakeCall& call, const char* name);

/// The time that lies by the age in an option of the lake before now. Absent when the option is not
/// set and there is no other age.
std::optional<Timestamp> TimeByOption(TarnTransaction& transaction, const std::string& option,
                                      const std::optional<std::string>& otherwise = {});

}  // namespace tarn::engine
