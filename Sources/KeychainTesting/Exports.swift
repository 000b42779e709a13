// A test that names a trait also names the device and its user.
@_exported import AtRestSimulation
