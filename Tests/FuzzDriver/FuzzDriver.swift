import Foundation

/// libFuzzer's driver for one of several targets: `ATREST_FUZZ_TARGET=NAME PROGRAM CORPUS …`.
///
/// The target is in the environment, because the driver restarts itself with arguments of its own.
/// `--targets` lists all targets.
public enum FuzzDriver {
  // The driver calls back without a context, on one thread.
  nonisolated(unsafe) private static var target: (Data) throws -> Void = { _ in }

  /// Runs the program, and ends the process.
  ///
  /// - Parameter prepare: Returns the function that reads the inputs of a target.
  public static func main<Target: CaseIterable & RawRepresentable<String>>(
    _: Target.Type, _ prepare: (Target) throws -> (Data) throws -> Void
  ) throws -> Never {
    if CommandLine.arguments.dropFirst().first == "--targets" {
      Target.allCases.forEach { print($0.rawValue) }
      exit(0)
    }
    let name = ProcessInfo.processInfo.environment["ATREST_FUZZ_TARGET"] ?? ""
    guard let target = Target(rawValue: name) else {
      fatalError("ATREST_FUZZ_TARGET must be one of \(Target.allCases.map(\.rawValue)).")
    }
    self.target = try prepare(target)
    var count = CommandLine.argc
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = withUnsafeMutablePointer(to: &count) { count in
      withUnsafeMutablePointer(to: &pointer) { runDriver(count, $0, FuzzDriver.call) }
    }
    exit(status)
  }

  private static let call: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { bytes, count in
    do {
      try FuzzDriver.target(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
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
