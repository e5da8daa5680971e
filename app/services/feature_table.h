#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace app {

/// One thing that shows a feature at work.
struct FeatureEvidence {
    enum class Kind {
        /// A command line of the program, as one pastes it at the root of the sources.
        Command,
        /// A file below `projects/`.
        Project,
        /// "folder/unit:testName" of `tests/`.
        Test,
    };
    Kind kind = Kind::Command;
    std::string_view text;
};

/// A row of the feature list that works.
struct Feature {
    /// "P8" of the programming system, "36" of the workbench.
    std::string_view id;
    std::string_view title;
    std::vector<FeatureEvidence> evidence;
};

/// Only what really works, in the order of the list. A test holds every piece of evidence to exist.
[[nodiscard]] std::span<const Feature> featureTable();

[[nodiscard]] std::string_view toString(FeatureEvidence::Kind kind);

} // namespace app
