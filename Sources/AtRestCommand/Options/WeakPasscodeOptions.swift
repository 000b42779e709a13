import ArgumentParser
import AtRestKeybag

/// The permission to use a short passcode.
struct WeakPasscodeOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Accept a new passcode of fewer than \(Keybag.shortestPasscode) characters."))
  var weakPasscode = false
}
