import AtRestCrypto
import Foundation

/// The name of a way to a TPM, in the form of tpm2-tss (a TCTI): `device:/dev/tpmrm0`,
/// `swtpm:path=/run/swtpm.sock`.
enum TPMTransport {
  /// The transports that AtRest loads. tpm2-tss takes an unknown name for the file name of a library
  /// and loads it.
  private static let known: Set<String> = ["device", "swtpm", "mssim", "tabrmd"]

  /// Checks a name, and a device file, whose errors tpm2-tss does not report.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for an unknown transport;
  ///   ``AtRestError/Code/deviceUnavailable`` if there is no such device;
  ///   ``AtRestError/Code/notPermitted`` if the user may not use it; ``AtRestError/Code/busy`` if
  ///   another program has it for itself.
  static func check(_ transport: String) throws {
    let parts = transport.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = parts.first, known.contains(String(kind)) else {
      throw AtRestError.invalid(
        "\"\(transport)\" is not the name of a TPM.",
        remedy: "Write device:/dev/tpmrm0, or swtpm:path= and the path of a socket.")
    }
    guard kind == "device" else { return }
    let path = parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : "/dev/tpmrm0"
    let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return
    }
    switch errno {
    case EACCES, EPERM:
      throw AtRestError(
        .notPermitted, "This user may not use the TPM \(path).",
        remedy: "Add the user to the group of the file, which is usually tss.")
    case EBUSY:
      throw AtRestError(
        .busy, "Another program has the TPM \(path) for itself.",
        remedy: "Use the resource manager, /dev/tpmrm0, or end the other program.")
    default:
      throw unreachable(transport, cause: nil)
    }
  }

  static func unreachable(_ transport: String, cause: (any Error)?) -> AtRestError {
    AtRestError(
      .deviceUnavailable, "There is no TPM 2.0 at \(transport).",
      remedy: "Enable the TPM in the firmware's settings, or start the program that emulates it.",
      cause: cause)
  }
}
