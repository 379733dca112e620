// Which types a column may be altered to: those that every reader casts old files to, so that no
// file is written again.
#pragma once

#include <string>

#include "format/type_names.h"

namespace tarn {

/// True when every value of `from` has one of `to` (but see MayOverflow), and readers cast files of
/// the one to the other: wider integers (unsigned ones to wider signed ones, too), integers to
/// floats and to decimals with room for all their digits, booleans to integers, wider decimals,
/// decimals to floats, dates to timestamps, coarser to finer timestamps, and timestamps to those
/// with a time zone. False for equal types and for nested ones.
bool CanPromote(const ScalarType& from, const ScalarType& to);

/// Whether such a promotion loses values that lie too far away: of dates and timestamps some. (To a
/// type with a zone, those that some zone moves out of the range.)
bool MayOverflow(const ScalarType& from, const ScalarType& to);

/// The type as SQL says it: INTEGER, DECIMAL(10,2). Of nested ones the bare word.
std::string SqlTypeName(const ScalarType& type);

}  // namespace tarn
