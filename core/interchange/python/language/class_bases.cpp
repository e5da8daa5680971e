// Classes with several bases.
#include "core/interchange/python/language/class_bases.h"

#include <algorithm>

namespace core {

namespace {

using Chain = std::vector<std::shared_ptr<const PythonClass>>;

/// Whether a class stands behind the first of a chain.
bool isBehind(const Chain& chain, const PythonClass& type) {
    return chain.size() > 1 && std::any_of(chain.begin() + 1, chain.end(),
                                           [&](const auto& other) { return isSameClass(*other, type); });
}

/// Python's C3 order: a class comes before its bases, and bases in the order in which they are named.
Chain merged(std::vector<Chain> chains) {
    Chain order;
    while (true) {
        std::erase_if(chains, [](const Chain& chain) { return chain.empty(); });
        if (chains.empty())
            return order;
        auto next = std::ranges::find_if(chains, [&](const Chain& chain) {
            return std::ranges::none_of(chains,
                                        [&](const Chain& other) { return isBehind(other, *chain.front()); });
        });
        if (next == chains.end()) // Python refuses such a class
            next = chains.begin();
        order.push_back(next->front());
        for (Chain& chain : chains)
            std::erase_if(chain, [&](const auto& type) { return isSameClass(*type, *order.back()); });
    }
}

} // namespace

bool isSameClass(const PythonClass& a, const PythonClass& b) {
    return a.attributes == b.attributes;
}

bool isDerivedFrom(const PythonClass* type, const PythonClass& base) {
    while (type != nullptr && !isSameClass(*type, base))
        type = type->parent.get();
    return type != nullptr;
}

std::shared_ptr<const PythonClass>
chainOfBases(const std::vector<std::shared_ptr<const PythonClass>>& bases) {
    std::vector<Chain> chains;
    for (const auto& base : bases) {
        chains.emplace_back();
        for (auto type = base; type != nullptr; type = type->parent)
            chains.back().push_back(type);
    }
    chains.push_back(bases);
    const Chain order = merged(std::move(chains));
    std::shared_ptr<const PythonClass> chain;
    for (auto type = order.rbegin(); type != order.rend(); ++type) {
        if ((*type)->parent == chain) {
            chain = *type;
            continue;
        }
        auto copy = std::make_shared<PythonClass>(**type);
        if (copy->base.empty() && chain != nullptr)
            copy->base = chain->base;
        copy->parent = std::move(chain);
        chain = std::move(copy);
    }
    return chain;
}

} // namespace core
