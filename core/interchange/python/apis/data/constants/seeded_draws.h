#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/apis/data/constants/seeded_numbers.h"

#include <optional>
#include <vector>

namespace core {

/// What a function of random numbers draws where the program gave a seed: rand(), normal(), randint(), by the
/// function's plain name. Nothing where the numbers are not followed: after such a call, none are any more.
[[nodiscard]] std::optional<PythonValue> seededDraw(const PythonApiCall& call, SeededNumbers& numbers);
/// The same of the functions of np.random itself, which share one seed.
[[nodiscard]] std::optional<PythonValue> sharedDraw(const PythonApiCall& call);
/// np.random.seed(), np.random.RandomState() and np.random.default_rng().
[[nodiscard]] std::vector<PythonApiName> seedNames(const std::string& prefix);

} // namespace core
