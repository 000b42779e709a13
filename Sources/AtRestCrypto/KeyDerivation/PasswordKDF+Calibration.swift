extension PasswordKDF {
  /// The result of a calibration: a cost, and whether it meets the target.
  public struct Calibration: Sendable, Hashable {
    /// The function with its cost.
    public let kdf: PasswordKDF
    /// The time that was asked for.
    public let target: Duration
    /// The time that one derivation takes on this machine, calculated from the measurement.
    public let duration: Duration
    /// The time of one derivation at the minimum cost, as measured.
    public let minimumDuration: Duration

    /// True if the target is shorter than the minimum cost takes, so it cannot be met.
    public var isBelowMinimum: Bool { minimumDuration > target }

    /// A sentence for the user if the target cannot be met, otherwise nil.
    public var note: String? {
      guard isBelowMinimum else { return nil }
      func milliseconds(_ time: Duration) -> Int { Int((time / .milliseconds(1)).rounded()) }
      return "The target of \(milliseconds(target)) ms cannot be met: OWASP's minimum "
        + "(\(kdf)) takes \(milliseconds(minimumDuration)) ms on this machine."
    }
  }

  /// Measures the cost at which a derivation takes about a given time on this machine, but at least
  /// the minimum cost.
  ///
  /// This method measures once, at the minimum cost. scrypt's cost can only be doubled, so its time
  /// is at most a factor of two below the target. The time of PBKDF2 is within a few percent of the
  /// target. If the minimum cost takes longer than the target, the result says so.
  public static func calibration(_ function: Function, to target: Duration) -> Calibration {
    let minimum = minimum(function)
    let clock = ContinuousClock()
    let password = SecretBytes(utf8: "calibration")
    let elapsed = clock.measure {
      _ = try? minimum.deriveKey(from: password, salt: .init(count: 16)).count
    }
    let ratio = max(1, target / elapsed)
    let kdf: PasswordKDF
    let factor: Double
    switch function {
    case .scrypt:
      let doublings = UInt32(ratio.binade == 0 ? 0 : Int(ratio.exponent))
      kdf = .scrypt(logN: min(22, minimum.cost + doublings))
      factor = Double(UInt32(1) << (kdf.cost - minimum.cost))
    case .pbkdf2SHA256, .pbkdf2SHA512:
      kdf = pbkdf2(function, UInt32(min(Double(minimum.cost) * ratio, 100_000_000)))
      factor = Double(kdf.cost) / Double(minimum.cost)
    }
    return Calibration(
      kdf: kdf, target: target, duration: elapsed * factor, minimumDuration: elapsed)
  }

  /// Returns the cost of `calibration(_:to:)`.
  public static func calibrated(_ function: Function, to target: Duration) -> PasswordKDF {
    calibration(function, to: target).kdf
  }
}
