import AtRestKeychain

/// The sample of `docs/Security.md` about stores without a passcode.
enum MissingPasscodeSamples {
  static func tell() {
    // sample: tell of a missing passcode
    DefaultKeychain.onMissingPasscode = { risk in
      print(risk.message, risk.remedy)
    }
    // sample: end
  }
}
