import ArgumentParser
import AtRestKeybag

/// Whether a new passcode may be short.
struct WeakPasscodeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Accept a new passcode of fewer than \(Keybag.shortestPasscode) characters."))
  var weakPasscode = false
}
