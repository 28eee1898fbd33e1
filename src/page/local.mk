report_sources += \
	src/page/calibration_render.c \
	src/page/calibration_render.h \
	src/page/compare.c \
	src/page/compare.h \
	src/page/environment.c \
	src/page/environment.h \
	src/page/html.c \
	src/page/html.h \
	src/page/html_calibration.c \
	src/page/html_data.c \
	src/page/html_environment.c \
	src/page/html_figures.c \
	src/page/html_explain.c \
	src/page/html_partitions.c \
	src/page/html_summary.c \
	src/page/markdown.c \
	src/page/markdown.h \
	src/page/markdown_depends.c \
	src/page/markdown_environment.c \
	src/page/markdown_explain.c \
	src/page/markdown_figures.c \
	src/page/markdown_parts.h \
	src/page/markdown_tables.c \
	src/page/render_html.c \
	src/page/render_legend.c \
	src/page/render_md.c \
	src/page/render_parts.h \
	src/page/render_tex.c \
	src/page/render_tsv.c \
	src/page/report.c \
	src/page/report.h \
	src/page/table_files.c \
	src/page/table_files.h

# The style and the script of the report, as C strings: the page is one file without outside references.
BUILT_SOURCES += src/page/report_files.h
CLEANFILES += src/page/report_files.h
EXTRA_DIST += src/page/report.css src/page/report.js
src/page/report_files.h: src/page/report.css src/page/report.js src/page/local.mk
	$(AM_V_GEN)$(MKDIR_P) src/page; for kind in css js; do echo "static const char report_$$kind[] ="; \
		sed 's/[\\"]/\\&/g; s/.*/    "&\\n"/' $(srcdir)/src/page/report.$$kind; echo '    ;'; done >$@.new && mv $@.new $@
src/page/report.$(OBJEXT): src/page/report_files.h
