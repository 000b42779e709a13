import AtRestFuzzTargets
import Foundation

/// libFuzzer's driver for one target: `ATREST_FUZZ_TARGET=seals atrest-fuzz CORPUS …`.
///
/// The target is in the environment, since the driver starts itself anew with arguments of its own.
/// `--targets` names them all, `--seeds FOLDER` writes honest inputs.
@main
enum Main {
  // The driver calls back without a context, on one thread.
  nonisolated(unsafe) private static var fuzzer: Fuzzer?

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    if arguments.first == "--targets" {
      return FuzzTarget.allCases.forEach { print($0.rawValue) }
    }
    let name = ProcessInfo.processInfo.environment["ATREST_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget(rawValue: name) else {
      fatalError("ATREST_FUZZ_TARGET is none of: \(FuzzTarget.allCases.map(\.rawValue)).")
    }
    let fuzzer = try Fuzzer(target)
    if arguments.first == "--seeds", let folder = arguments.dropFirst().first {
      for (index, seed) in try fuzzer.seeds().enumerated() {
        try seed.write(to: URL(fileURLWithPath: folder).appendingPathComponent("seed-\(index)"))
      }
      return
    }
    self.fuzzer = fuzzer
    var count = CommandLine.argc
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = withUnsafeMutablePointer(to: &count) { count in
      withUnsafeMutablePointer(to: &pointer) { runDriver(count, $0, Main.run) }
    }
    exit(status)
  }

  private static let run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { bytes, count in
    do {
      try Main.fuzzer?.run(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
    } catch {
      fatalError("\(type(of: error)): \(error)")
    }
    return 0
  }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
