// The entry of the `tarn` command.
#include "shell/run.h"

int main(int argc, char** argv) { return tarn::shell::Run(argc, argv); }
