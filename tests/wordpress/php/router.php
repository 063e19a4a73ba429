<?php
// What Apache's rewrite rules do for WordPress: a file that is there is served, everything else goes to index.php of its folder.
$root = $_SERVER['DOCUMENT_ROOT'];
$base = rtrim( (string) parse_url( getenv( 'MOLVA_SITE_URL' ), PHP_URL_PATH ), '/' );
$path = urldecode( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) );
if ( '' !== $base && $path !== $base && 0 !== strpos( $path, $base . '/' ) ) {
	http_response_code( 404 );
	header( 'Content-Type: text/html' );
	echo '<h1>Not Found</h1>';
	return true;
}
$front = $base . '/' === $path || $base === $path || '/' === $path;
if ( ! $front && is_file( $root . $path ) ) {
	return false;
}
if ( ! $front && is_dir( $root . $path ) && is_file( $root . rtrim( $path, '/' ) . '/index.php' ) ) {
	return false;
}
$_SERVER['SCRIPT_NAME']     = $base . '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $root . $base . '/index.php';
$_SERVER['PHP_SELF']        = $base . '/index.php';
require $root . $base . '/index.php';
