#pragma once

#include "core/interchange/python/draft/program_draft.h"

#include <string_view>

namespace core {

/// The layer that takes a tensor to the host, or back.
inline constexpr std::string_view hostTransferClass = "HostTransfer";

/// Puts a layer at every border of what the program computes in an outside_compilation_scope(): a tensor of
/// the device that is read there goes to the host, one of the host that the device reads comes back; each
/// once.
void addHostTransfers(PythonDraft& draft);

} // namespace core
