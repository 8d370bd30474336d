// keep_postgres LOCKS FOLDER: has a PostgreSQL in the folder as long as programs use it, which says
// the lock LOCKS-used. Ends at once where another one has it.
#include <chrono>
#include <thread>

#include "tests/support/file_lock.hpp"
#include "tests/support/postgres_server.hpp"

using namespace troupe::test;

int main(int count, char** arguments) {
  if (count != 3)
    return 2;
  const std::string locks = arguments[1];
  file_lock kept{locks + "-kept"};
  file_lock used{locks + "-used"};
  if (!kept.try_take())
    return 0;
  {
    const postgres_server server{arguments[2]};
    do {
      used.take();
      used.release();
      std::this_thread::sleep_for(std::chrono::seconds{3}); // the next test may be near
    } while (!used.try_take());
  }
  kept.release(); // before the other one, or the next program would take the server to be there
}
