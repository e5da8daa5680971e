#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace core {

/// How often a program that has a loop of its own updates the weights of a model, or hands on what it
/// answers.
struct PythonSteps {
    std::int64_t total = 0;
    /// Those of one call of a compiled function.
    std::int64_t perExecution = 1;
    std::int64_t epochs = 1;
    /// A loop whose rounds only a run knows counts the epochs, or the steps of each.
    bool areEpochsOpen = false;
    bool areStepsOpen = false;
    /// Such a loop ends by a condition (`while`), not by the number of samples.
    bool endsByCondition = false;
};

/// Counts them while a program is followed: a loop over samples is followed once for all its rounds.
class PythonStepTally {
public:
    /// `isFollowed`: its rounds are followed one by one. `rounds` below 0: only a run knows them.
    void beginLoop(const std::string& variable, std::int64_t rounds, bool isFollowed);
    void endLoop();
    /// A function that is compiled for the device as a whole begins and ends.
    void beginExecution();
    void endExecution();
    [[nodiscard]] bool isInExecution() const { return m_depth > 0; }
    /// The weights of a model are updated here.
    void step(std::int64_t model) { count(m_updates, model); }
    /// What a model answers is handed to the outfeed here.
    void answer(std::int64_t model) { count(m_answers, model); }

    [[nodiscard]] const std::map<std::int64_t, PythonSteps>& steps() const { return m_updates.steps; }
    [[nodiscard]] const std::map<std::int64_t, PythonSteps>& answers() const { return m_answers.steps; }

private:
    struct Loop {
        std::string variable;
        std::int64_t rounds = 1;
        bool isFollowed = true;
        bool isOpen = false;
    };
    struct Counts {
        std::map<std::int64_t, std::int64_t> inExecution;
        std::map<std::int64_t, PythonSteps> steps;
    };
    void count(Counts& counts, std::int64_t model);
    /// Rounds of the loops from `first` on that are followed once for all.
    [[nodiscard]] std::int64_t weightFrom(std::size_t first) const;

    std::vector<Loop> m_loops;
    int m_depth = 0;
    /// Loops around the execution that runs.
    std::size_t m_around = 0;
    Counts m_updates;
    Counts m_answers;
};

} // namespace core
