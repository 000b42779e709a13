import AtRestAuditModel

extension Scope {
  /// Returns true if a call writes into a buffer that starts as zeros.
  package func fills(_ value: Expression) -> Bool {
    guard let name = value.bare.pointerRoot ?? value.bare.path else { return false }
    return calls.contains { call in
      if call.name == "withUnsafeMutableBytes", call.receiver?.path == name { return true }
      return call.arguments.enumerated().contains { index, argument in
        guard argument.value.bare.pointerRoot == name || argument.value.bare.path == name else {
          return false
        }
        guard let output = Self.fillers[call.name] else { return argument.value.isWritable }
        return output == nil || output == index
      }
    }
  }

  /// Functions that write into a buffer, with the index of the argument that is the buffer. Nil
  /// means that any argument may be the buffer.
  private static let fillers: [String: Int?] = [
    "SecRandomCopyBytes": nil, "CCRandomGenerateBytes": nil, "arc4random_buf": nil, "getBytes": nil,
    "memcpy": 0, "memmove": 0, "strncpy": 0, "strlcpy": 0, "copyBytes": nil, "getrandom": nil,
    "getentropy": nil, "fillRandom": nil, "generateRandom": nil, "getCString": nil, "read": nil,
    "CCKeyDerivationPBKDF": 7, "CC_SHA256": 2, "CC_SHA384": 2, "CC_SHA512": 2, "CCHmac": 5,
    "CCCrypt": 8, "CCCryptorCreate": 6, "CCCryptorCreateWithMode": 11, "CCCryptorUpdate": 3,
    "CCCryptorFinal": 1,
  ]
}

extension Expression {
  /// True if the callee may write to the expression: `&buffer`, `[data mutableBytes]`.
  fileprivate var isWritable: Bool {
    switch kind {
    case .prefix(let sign, _): sign == "&"
    case .cast(let inner, _): inner.isWritable
    case .member(_, let name): name == "mutableBytes"
    case .call(let callee, _): callee.lastName == "mutableBytes"
    default: false
    }
  }

  /// The name of the buffer in `pointer.baseAddress`, `[data bytes]` and
  /// `pointer.bindMemory(…).baseAddress`.
  package var pointerRoot: String? {
    switch kind {
    case .name(let name): name
    case .member(let base?, let name)
    where ["baseAddress", "bytes", "mutableBytes", "pointee"].contains(name):
      base.pointerRoot ?? base.path
    case .call(let callee, _):
      if case .member(let base?, let name) = callee.kind,
        ["bytes", "mutableBytes", "bindMemory", "assumingMemoryBound", "UTF8String", "cString"]
          .contains(name)
      {
        base.pointerRoot ?? base.path
      } else {
        nil
      }
    case .cast(let inner, _), .prefix(_, let inner): inner.pointerRoot
    default: nil
    }
  }
}
