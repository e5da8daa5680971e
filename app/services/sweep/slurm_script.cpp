#include "app/services/sweep/slurm_script.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string_view>
#include <vector>

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longestTitle = 40;

bool isPlainLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
           std::string_view("-_./%+=:,@").find(letter) != std::string_view::npos;
}

/// As a word of the shell: in single quotes, a single quote of its own between them as '\''.
std::string shellWord(const std::string& text) {
    if (!text.empty() && std::ranges::all_of(text, isPlainLetter))
        return text;
    std::string word = "'";
    for (const char letter : text)
        word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
    return word + "'";
}

/// Lines that `sbatch` reads: words without blanks or quotes, which it splits in ways of its own.
std::string directives(const SlurmJob& job) {
    std::string text = fmt::format("#SBATCH --job-name={}\n", job.name);
    text += "#SBATCH --open-mode=append\n#SBATCH --requeue\n#SBATCH --ntasks=1\n";
    text += fmt::format("#SBATCH --cpus-per-task={}\n", job.cores);
    if (!job.time.empty())
        text += fmt::format("#SBATCH --time={}\n", job.time);
    if (!job.partition.empty())
        text += fmt::format("#SBATCH --partition={}\n", job.partition);
    return text;
}

/// A path as `sbatch` takes it for a log: it replaces what begins with % (slurm.schedmd.com/sbatch.html,
/// "filename pattern").
std::string logPattern(const fs::path& path) {
    std::string pattern;
    for (const char letter : path.string())
        pattern += letter == '%' ? std::string("%%") : std::string(1, letter);
    return pattern;
}

std::string commandLine(const std::vector<std::string>& arguments) {
    std::string line = "sbatch --parsable";
    for (const std::string& argument : arguments)
        line += " " + shellWord(argument);
    return line;
}

} // namespace

std::string slurmJobName(const std::string& title, const std::string& hash, std::int64_t shards) {
    std::string name = title.substr(0, longestTitle);
    std::ranges::replace_if(
        name,
        [](char letter) {
            return std::isalnum(static_cast<unsigned char>(letter)) == 0 && letter != '-' && letter != '_' &&
                   letter != '.';
        },
        '_');
    return fmt::format("{}-{}-{}", name, shortHash(hash), shards);
}

std::string slurmMergeName(const std::string& arrayName) {
    return arrayName + "-merge";
}

std::vector<std::string> slurmArrayArguments(const SlurmJob& job) {
    return {fmt::format("--array=1-{}", job.shards.count),
            fmt::format("--output={}.shard-%a-of-{}.log", logPattern(job.shards.stem()), job.shards.count),
            job.shards.script().string()};
}

std::vector<std::string> slurmMergeArguments(const SlurmJob& job, const std::string& array) {
    return {"--dependency=afterany:" + array, "--job-name=" + slurmMergeName(job.name),
            fmt::format("--output={}.merge-of-{}.log", logPattern(job.shards.stem()), job.shards.count),
            job.shards.script().string(), "merge"};
}

namespace {

constexpr std::string_view scriptHead = "#!/bin/sh\n# A sweep of ";

} // namespace

bool isSlurmScript(std::string_view text) {
    return text.starts_with(scriptHead) && text.find("\n#SBATCH --job-name=") != std::string_view::npos;
}

std::string slurmScript(const SlurmJob& job) {
    std::string text(scriptHead);
    text += fmt::format("{} points in {} parts. By hand it is submitted so (JOB: what the first "
                        "line prints):\n",
                        job.points, job.shards.count);
    text += fmt::format("#   {}\n#   {}\n", commandLine(slurmArrayArguments(job)),
                        commandLine(slurmMergeArguments(job, "JOB")));
    text += directives(job);
    text += fmt::format("\nprogram={}\nsweep={}\ndatabase={}\nshards={}\n", shellWord(job.program.string()),
                        shellWord(job.sweep.string()), shellWord(job.shards.database.string()),
                        shellWord(job.shards.stem().string()));
    text += fmt::format(R"sh(count={0}

case "${{1:-shard}}" in
shard) # What an earlier task of this part stored is not simulated again.
    exec "$program" sweep "$sweep" --shard "$SLURM_ARRAY_TASK_ID/$count" --resume --jobs {1} \
        --database "$shards.shard-$SLURM_ARRAY_TASK_ID-of-$count.sqlite" ;;
merge)
    set --
    number=1
    while [ "$number" -le "$count" ]; do
        set -- "$@" "$shards.shard-$number-of-$count.sqlite"
        number=$((number + 1))
    done
    exec "$program" merge "$@" -o "$database" ;;
esac
)sh",
                        job.shards.count, job.cores);
    return text;
}

} // namespace app
