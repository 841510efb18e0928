{
  lib,
  stdenv,
  rustPlatform,
  fetchurl,
  installShellFiles,
  versionCheckHook,
}:

rustPlatform.buildRustPackage (finalAttrs: {
  pname = "hexzero";
  version = "@VERSION@";

  src = fetchurl {
    url = "@ADDRESS@/releases/download/v${finalAttrs.version}/hexzero-${finalAttrs.version}.tar.gz";
    hash = "@SRI_tar.gz@";
  };

  # The first build says the right one.
  cargoHash = lib.fakeHash;

  buildFeatures = [ "cluster" ];
  # The other tests want a browser and a broker.
  cargoTestFlags = [ "--lib" ];

  nativeBuildInputs = [ installShellFiles ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    $out/bin/hexzero generate man man
    installManPage man/*.1
    installShellCompletion --cmd hexzero \
      --bash <($out/bin/hexzero generate completions bash) \
      --fish <($out/bin/hexzero generate completions fish) \
      --zsh <($out/bin/hexzero generate completions zsh)
  '';

  nativeInstallCheckInputs = [ versionCheckHook ];
  doInstallCheck = true;

  meta = {
    description = "AlphaZero engine for Hex, Cachex and other games on hexagonal boards";
    homepage = "@SITE@";
    changelog = "@ADDRESS@/blob/v${finalAttrs.version}/CHANGELOG.md";
    license = lib.licenses.mit;
    maintainers = [ ];
    mainProgram = "hexzero";
  };
})
