import Foundation
import FuzzDriver
import KeyServerFuzzTargets

// In addition to the driver's options, `--seeds FOLDER` writes honest inputs.
try FuzzDriver.main(KeyServerFuzzTarget.self) { target in
  let fuzzer = try KeyServerFuzzer(target)
  let arguments = CommandLine.arguments.dropFirst()
  if arguments.first == "--seeds", let folder = arguments.dropFirst().first {
    for (index, seed) in try fuzzer.seeds().enumerated() {
      try seed.write(to: URL(fileURLWithPath: folder).appendingPathComponent("seed-\(index)"))
    }
    exit(0)
  }
  return fuzzer.run
}
