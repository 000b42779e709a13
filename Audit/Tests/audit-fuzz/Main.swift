import AuditFuzzTargets
import Foundation

/// libFuzzer's driver for one target: `ATREST_FUZZ_TARGET=swift audit-fuzz CORPUS …`.
///
/// The target is in the environment, since the driver starts itself anew with arguments of its own.
/// `--targets` names them all.
@main
enum Main {
  // The driver calls back without a context, on one thread.
  nonisolated(unsafe) private static var target = AuditFuzzTarget.swift

  static func main() throws {
    if CommandLine.arguments.dropFirst().first == "--targets" {
      return AuditFuzzTarget.allCases.forEach { print($0.rawValue) }
    }
    let name = ProcessInfo.processInfo.environment["ATREST_FUZZ_TARGET"] ?? ""
    guard let target = AuditFuzzTarget(rawValue: name) else {
      fatalError("ATREST_FUZZ_TARGET is none of: \(AuditFuzzTarget.allCases.map(\.rawValue)).")
    }
    self.target = target
    var count = CommandLine.argc
    var pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    let status = withUnsafeMutablePointer(to: &count) { count in
      withUnsafeMutablePointer(to: &pointer) { runDriver(count, $0, Main.run) }
    }
    exit(status)
  }

  private static let run: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { bytes, count in
    do {
      try Main.target.run(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
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
