import AtRestCrypto
import CAtRestTPM

/// A response code other than success, of one command. Operations turn it into an `AtRestError`,
/// whose cause it then is.
struct TPMRefusal: Error, CustomStringConvertible {
  /// The command that failed, as in "Unseal".
  let command: String
  let code: UInt32
  /// The library's words for the code.
  let description: String

  init(_ command: String, _ code: UInt32, _ tss: TSS) {
    self.command = command
    self.code = code
    let words = tss.functions.describe(code).map { String(cString: $0) } ?? ""
    description = "\(command): 0x\(String(code, radix: 16)) \(words)"
  }

  /// True if the TPM or its resource manager answered: layers 0, 11 and 12. Other layers are parts
  /// of the library.
  var isAnswer: Bool { [0, 11, 12].contains(code >> 16) }

  /// The TPM's code, without the number of the parameter, handle or session that it refers to (part
  /// 2, section 6.6.2). Nil if the TPM did not answer.
  private var answer: UInt32? {
    guard isAnswer else { return nil }
    let code = code & 0xFFFF
    return code & 0x80 != 0 ? code & 0xBF : code
  }

  /// TPM_RC_AUTH_FAIL, which counts as a wrong attempt, and TPM_RC_BAD_AUTH, which does not.
  var isWrongAuthorization: Bool { answer == 0x8E || answer == 0xA2 }
  var isLockout: Bool { answer == 0x921 }
  /// TPM_RC_POLICY_FAIL and TPM_RC_PCR_CHANGED.
  var isPolicyFailure: Bool { answer == 0x9D || answer == 0x128 }
  /// TPM_RC_POLICY and TPM_RC_POLICY_FAIL: a counter has another value than a policy
  /// demands.
  var isOtherValue: Bool { answer == 0x126 || answer == 0x9D }
  /// TPM_RC_HANDLE: there is no such object or index.
  var isMissingHandle: Bool { answer == 0x8B }
  var isDefinedIndex: Bool { answer == 0x14C }
  /// TPM_RC_NV_SPACE.
  var isOutOfCounters: Bool { answer == 0x14B }
  /// TPM_RC_ECC_POINT: the point is not on the curve.
  var isInvalidPoint: Bool { answer == 0xA7 }
  /// Refusals of TPM2_Load for an object that is not a child of this primary key, or was modified: any
  /// format-1 code about a parameter, TPM_RC_SENSITIVE, and the library's codes for a structure that
  /// it cannot send.
  var isUnloadable: Bool {
    guard isAnswer else { return !isLost && !isForged }
    return code & 0xC0 == 0xC0 || code & 0xFFFF == 0x155
  }

  /// Answers after which the same command may succeed a moment later: TPM_RC_RETRY, YIELDED,
  /// TESTING, NV_RATE and NV_UNAVAILABLE.
  var isTemporary: Bool {
    guard let answer else { return false }
    return [0x922, 0x908, 0x90A, 0x920, 0x923].contains(answer)
  }

  /// The TPM has no memory for another object or session: TPM_RC_OBJECT_MEMORY to OBJECT_HANDLES.
  var isOutOfMemory: Bool { answer.map { (0x902...0x906).contains($0) } ?? false }
  /// TPM_RC_INITIALIZE, FAILURE and REBOOT: the TPM accepts no commands.
  var isOutOfOrder: Bool { answer.map { [0x100, 0x101, 0x130].contains($0) } ?? false }
  /// The transport failed (layer 10), or a layer of the library above it says so: NO_CONNECTION,
  /// IO_ERROR, and BAD_SEQUENCE, because it repeats a command whose answer did not come.
  var isLost: Bool { code >> 16 == 10 || (!isAnswer && [7, 8, 10].contains(code & 0xFFFF)) }
  /// The TPM did not answer in time, so its connection is not used any more.
  var isSilent: Bool { code == Self.silence }
  static let silence = UInt32(ATREST_TCTI_SILENT)
  /// A response whose HMAC is wrong, or whose parts contradict each other.
  var isForged: Bool { [0x7_001B, 0x7_0011, 0x8_0011].contains(code) }
}
