#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>
#include <vector>

namespace core {

// What a parser of argparse is made of; the parsers of other command lines are made of the same.
inline constexpr const char* parserClass = "argparse.ArgumentParser";
inline constexpr const char* namespaceClass = "argparse.Namespace";
/// Attributes of a parser, out of reach of programs: its arguments, and what is set without one.
inline constexpr const char* parserActions = "$actions";
inline constexpr const char* parserDefaults = "$defaults";
/// What add_subparsers() made: "dest", "required" and the parsers of its commands by name.
inline constexpr const char* parserCommands = "$commands";
inline constexpr const char* commandParsers = "$parsers";

/// The words that are read: those that the program names (the argument "args", at this position), else those
/// that it is read with.
[[nodiscard]] std::vector<std::string> commandLineWords(const PythonApiCall& call, std::size_t position);
/// A namespace with what a parser reads in words. What it does not know is refused, or handed on in `rest`.
/// Errors: "python/arguments" names what the parser takes.
[[nodiscard]] PythonLibraryObject readCommandLine(const PythonApiCall& call,
                                                  const PythonLibraryObject& parser,
                                                  const std::vector<std::string>& words,
                                                  std::vector<std::string>* rest = nullptr);

} // namespace core
