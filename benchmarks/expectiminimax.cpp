// OpenSpiel's own expectiminimax in C++, called through the shared library that its Python package installs.
// Only the names of its functions are declared here; a counter stands in for the evaluation.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace open_spiel {
class Game;
class State;
struct Keep {  // a state of theirs is never freed here: its class is not known
  void operator()(State*) const {}
};
std::pair<std::shared_ptr<const Game>, std::unique_ptr<State, Keep>> DeserializeGameAndState(const std::string&);
namespace algorithms {
std::pair<double, int64_t> ExpectiminimaxSearch(const Game&, const State*, std::function<double(const State&)>, int,
                                                int);
}
}  // namespace open_spiel

extern "C" int64_t evaluations(const char* serialized, int depth, double* value) {
  auto found = open_spiel::DeserializeGameAndState(serialized);
  int64_t count = 0;
  *value = open_spiel::algorithms::ExpectiminimaxSearch(
               *found.first, found.second.get(), [&count](const open_spiel::State&) { return ++count, 0.0; }, depth, 0)
               .first;
  return count;
}
