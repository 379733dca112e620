// From what a user calls a lake to what ATTACH takes.
#pragma once

#include "engine/session.h"
#include "shell/command_line.h"

namespace tarn::shell {

/// SQL's name of the lake that the command was called with.
inline constexpr const char* kLakeName = "lake";

/// Which attachment the arguments mean. With `must_exist` a missing file is an error and never a
/// new lake. Throws tarn::Error: kNotFound for a missing file or folder, kInvalid for a file that
/// is no catalog.
engine::LakeRequest ResolveLake(const LakeArguments& arguments, bool must_exist);

}  // namespace tarn::shell
