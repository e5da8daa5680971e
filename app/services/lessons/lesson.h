#pragma once

#include "core/base/result.h"
#include "core/plan/plan_estimate.h"
#include "core/project/project.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace app {

/// What a goal of a lesson is about: a figure of the plan as it would run, or a choice of the project.
enum class LessonFigure : std::uint8_t {
    /// Work of the slowest stage over that of the fastest, per micro-batch.
    StageRatio,
    /// Share of the step that the IPUs wait while the pipeline fills and drains, averaged over them.
    BubbleShare,
    /// Share of the step that the IPUs wait for the host, averaged over them.
    HostShare,
    /// Peak of the fullest IPU over its limit.
    FullestIpu,
    /// Samples per second.
    Throughput,
    /// Bytes that all stages keep for their backward passes.
    Stash,
    /// IPUs of all replicas together.
    Ipus,
    /// Samples of one weight update over all replicas.
    EffectiveBatch,
};

struct LessonGoal {
    enum class Bound : std::uint8_t { AtMost, AtLeast };

    LessonFigure figure;
    Bound bound = Bound::AtMost;
    double value = 0;
};

/// A project of the bundled templates, and settings put into it as by `--set`.
struct LessonProject {
    std::string templateName;
    /// "stages=2", as `new TEMPLATE` takes them.
    std::vector<std::string> arguments;
    /// "pipeline.schedule=Interleaved", as `run --set` takes them.
    std::vector<std::string> settings;
};

/// One thing to learn by doing it: a project that does not reach its goals yet, hints from a first thought to
/// what to press, and one project that reaches them. Another one that reaches them is as good.
struct Lesson {
    std::string id;
    std::string title;
    /// What is wrong with the project, in a sentence or two.
    std::string task;
    std::vector<LessonGoal> goals;
    std::vector<std::string> hints;
    /// What was learned, said when it is done.
    std::string moral;
    LessonProject start;
    LessonProject reference;
};

/// In the order in which they are taken.
[[nodiscard]] std::span<const Lesson> lessons();

/// Makes the project of a lesson. Errors: those of templates and settings.
[[nodiscard]] core::Result<core::Project> lessonProject(const Lesson& lesson, const LessonProject& of);

/// The figure of a plan; `estimate` has no refusal.
[[nodiscard]] double lessonFigure(LessonFigure figure, const core::Project& project,
                                  const core::PlanEstimate& estimate);

/// What the checker says about a plan.
struct LessonResult {
    struct Goal {
        LessonGoal goal;
        double value = 0;
        bool isMet = false;
    };
    std::vector<Goal> goals;
    /// The model is the one of the start: a smaller model would reach every goal.
    bool isSameModel = false;

    [[nodiscard]] bool isPassed() const;
};

/// Checks a plan by its simulated figures. `start` is the project that the lesson began with.
[[nodiscard]] LessonResult checkLesson(const Lesson& lesson, const core::Project& start,
                                       const core::Project& project, const core::PlanEstimate& estimate);

} // namespace app
