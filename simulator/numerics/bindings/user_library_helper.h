#pragma once

#include "core/platform/helper_process.h"

#include <span>
#include <string>
#include <string_view>

namespace simulator {

/// The task of the process that holds a library of a user: it loads the one that the first argument names and
/// makes the calls that it is asked to (user_call.h), until nobody asks any more.
void holdUserLibrary(std::string_view input, std::span<const std::string> arguments,
                     const core::HelperAnswer& asker);

} // namespace simulator
