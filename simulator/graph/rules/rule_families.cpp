#include "simulator/graph/rules/rule_families.h"

namespace simulator {

const PartTable<OutputRule>& outputRules() {
    static const PartTable<OutputRule> table{elementwiseOutputs(), lossesOutputs(), movementsOutputs(),
                                             productsOutputs(), reductionsOutputs()};
    return table;
}

const PartTable<GradientChoice>& gradientRules() {
    static const PartTable<GradientChoice> table{elementwiseGradients(), lossesGradients(),
                                                 movementsGradients(), productsGradients(),
                                                 reductionsGradients()};
    return table;
}

} // namespace simulator
