#pragma once

#include "core/interchange/python/language/interpreter.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace core {

/// What a round of a loop does to lists and numbers of the program, where that round is followed once and
/// stands for others like it.
class PythonRepeatedRound {
public:
    /// Remembers what the names around the loop stand for before the round.
    explicit PythonRepeatedRound(PythonNames* names);

    /// Does to them what the further ones of `rounds` rounds do: lists grow, numbers that are added to go on.
    /// What is not sure becomes what only a run knows: it comes from `source`. `isNumbered`: the rounds see
    /// their own number.
    void repeat(const PythonStatement& loop, std::int64_t rounds, bool isNumbered, const PythonValue& source);

private:
    struct List {
        std::shared_ptr<PythonValues> items;
        std::size_t size = 0;
        bool isSet = false;
        std::int64_t longest = -1;
    };
    struct Names {
        std::map<std::string, PythonValue>* values = nullptr;
        std::map<std::string, PythonValue> before;
    };

    void remember(const PythonValue& value, int depth);
    void repeatNumbers(const PythonStatement& loop, std::int64_t rounds, const PythonValue& source);
    void repeatLists(const PythonStatement& loop, std::int64_t rounds, bool isNumbered);
    static void grow(PythonValues& items, std::size_t before, std::int64_t rounds, bool areNumbersOpen);

    std::vector<List> m_lists;
    std::vector<Names> m_names;
    std::vector<std::shared_ptr<std::map<std::string, PythonValue>>> m_objects;
    /// Names that rounds add to, or that say which round it is.
    std::set<std::string> m_open;
};

} // namespace core
