#pragma once

#include "core/base/json.h"
#include "core/catalogue/older_optimizers.h"
#include "core/interchange/python/writer/text/python_edition.h"
#include "core/interchange/python/writer/text/python_text.h"
#include "core/project/project.h"

#include <set>
#include <string>
#include <vector>

namespace core {

/// What a program makes the optimizer of a project of.
struct WrittenOptimizer {
    /// A class that the program defines for what no optimizer of the libraries does; empty: none is needed.
    std::string ownClass = {};
    /// The optimizer of tf.compat.v1.train that it is, or that the class is derived from; null: it is one of
    /// Keras.
    const OlderOptimizer* older = nullptr;
    /// Options of Keras' optimizers that the class does itself.
    std::vector<std::string> done = {};
};

/// Writes a class for what a project makes of gradients before its optimizer takes them (they are averaged
/// over replicas, or decay the weights, or are clipped together, which optimizers of TensorFlow 2.1 do not),
/// and for the rules of tf.compat.v1.train where its own optimizers cannot stand, because the learning rate
/// changes.
[[nodiscard]] WrittenOptimizer writeOptimizerClass(PythonText& text, const Project& project, PythonApi api,
                                                   std::set<std::string>& names);
/// The constructor of an optimizer of tf.compat.v1.train; `className`: the class that is derived from it.
[[nodiscard]] std::string olderOptimizerText(const OlderOptimizer& older, const std::string& className,
                                             const Json& config);

/// Whether gradients of several replicas are averaged.
[[nodiscard]] bool averagesGradients(const Project& project);

} // namespace core
