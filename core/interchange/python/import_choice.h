#pragma once

#include "core/base/diagnostic.h"
#include "core/project/project.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace core {

/// Numbers of samples that a program says: whole ones, or others.
struct DataArray {
    /// As the dataset of the project names it: "x_train".
    std::string name;
    std::vector<std::int64_t> extents;
    std::variant<std::vector<float>, std::vector<std::int32_t>> numbers;
};

/// The archive that datasets of a project name until somebody stores its arrays.
inline constexpr std::string_view dataFileName = "data.npz";

/// What a person says about a file that several projects can be made of.
struct ImportChoice {
    /// One of several models by its name; empty: the only one, or the one that is used most.
    std::string model;
    /// The command line of a program, without the program's own name.
    std::vector<std::string> commandLine;
    /// Where the arrays that the model is given are put, for whoever stores them; null: they are not stored,
    /// and made-up samples take their place.
    std::vector<DataArray>* data = nullptr;
    /// The folder of the MNIST digits that come with this program, for keras.datasets.mnist; empty: none.
    std::string digits;
    /// What the simulated machine says against a project, which this module does not know: errors at its
    /// /ipu_config are refused where the program sets the option; null: nobody asks.
    std::function<Diagnostics(const Project&)> systemFindings = nullptr;
};

} // namespace core
